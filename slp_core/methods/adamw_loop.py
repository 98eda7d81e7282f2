"""A step of AdamW as one loop, compiled for the processor that it runs on.

LLVM, which Numba compiles with, is asked for it directly: that takes a tenth of a second, where
Numba would first take one to set itself up.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_double, c_float, c_int64, c_void_p
from typing import Any, TypeAlias

import numpy as np

_STEP = """
declare {real} @llvm.sqrt.{suffix}({real})

define void @step(
    ptr noalias %weights, ptr noalias %means, ptr noalias %squares, ptr noalias %gradient,
    ptr noalias %along, ptr noalias %keep, i64 %rows, i64 %size,
    {real} %beta1, {real} %beta2, {real} %epsilon
) {{
entry:
  br label %rows.next

rows.next:
  %r = phi i64 [0, %entry], [%r.next, %row.end]
  %first = phi i64 [0, %entry], [%last, %row.end]
  %r.next = add i64 %r, 1
  %last = add i64 %first, %size
  %along.at = getelementptr {real}, ptr %along, i64 %r
  %keep.at = getelementptr {real}, ptr %keep, i64 %r
  %all.done = icmp eq i64 %r, %rows
  br i1 %all.done, label %end, label %row

row:
  %a = load {real}, ptr %along.at
  %k = load {real}, ptr %keep.at
  br label %numbers.next

numbers.next:
  %i = phi i64 [%first, %row], [%i.next, %number]
  %i.next = add i64 %i, 1
  %row.done = icmp eq i64 %i, %last
  br i1 %row.done, label %row.end, label %number

number:
  %w.at = getelementptr {real}, ptr %weights, i64 %i
  %m.at = getelementptr {real}, ptr %means, i64 %i
  %v.at = getelementptr {real}, ptr %squares, i64 %i
  %g.at = getelementptr {real}, ptr %gradient, i64 %i
  %w = load {real}, ptr %w.at
  %m = load {real}, ptr %m.at
  %v = load {real}, ptr %v.at
  %g = load {real}, ptr %g.at
  %m.less = fmul {real} %m, %beta1
  %m.new = fadd {real} %m.less, %g
  %g.squared = fmul {real} %g, %g
  %v.less = fmul {real} %v, %beta2
  %v.new = fadd {real} %v.less, %g.squared
  %root = call {real} @llvm.sqrt.{suffix}({real} %v.new)
  %below = fadd {real} %root, %epsilon
  %ratio = fdiv {real} %m.new, %below
  %change = fmul {real} %ratio, %a
  %w.less = fmul {real} %w, %k
  %w.new = fsub {real} %w.less, %change
  store {real} %m.new, ptr %m.at
  store {real} %v.new, ptr %v.at
  store {real} %w.new, ptr %w.at
  br label %numbers.next

row.end:
  br label %rows.next

end:
  ret void
}}
"""

_C = {"f": c_float, "d": c_double}
_NAMES = {"f": {"real": "float", "suffix": "f32"}, "d": {"real": "double", "suffix": "f64"}}

Loop: TypeAlias = Callable[..., None]
"""Of the arguments of ``step``: places of arrays, their sizes, and numbers."""

_compiled: dict[str, Loop | None] = {}
_engines: list[Any] = []  # whose memory the loops are in


def loop_of(dtype: np.dtype[Any], needed: bool) -> Loop | None:
    """The loop over arrays of float32 or float64.

    Parameters
    ----------
    dtype : numpy.dtype
    needed : bool
        Whether to compile it if it is not there.

    Returns
    -------
    callable or None
        None also where LLVM is not to be had.
    """
    if needed and dtype.char not in _compiled:
        try:
            _compiled[dtype.char] = _compile(dtype.char)
        except (ImportError, OSError, RuntimeError):
            _compiled[dtype.char] = None
    return _compiled.get(dtype.char)


def _compile(char: str) -> Loop:
    import llvmlite.binding as llvm  # half the time of all this

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3
    )
    module = llvm.parse_assembly(_STEP.format(**_NAMES[char]))
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    real = _C[char]
    loop = CFUNCTYPE(None, *[c_void_p] * 6, c_int64, c_int64, real, real, real)(
        engine.get_function_address("step")
    )
    _engines.append(engine)
    return loop
