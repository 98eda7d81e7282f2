"""Titles and licences of the usual meta-training files."""

from __future__ import annotations

# From general knowledge, not verified.
SOURCES: dict[str, tuple[str, str]] = {
    "cola_train": ("CoLA (Warstadt et al., 2019)", "no licence stated; sentences from textbooks"),
    "mrpc_train": ("MRPC (Dolan and Brockett, 2005)", "Microsoft Research; research use"),
    "rte_train": ("RTE (GLUE)", "no licence stated; research use"),
    "sst2_train": ("SST-2 (Socher et al., 2013)", "no licence stated; film reviews"),
    "sst_phrase_train": (
        "SST trees, a phrase beside its sentence (Socher et al., 2013)",
        "no licence stated; film reviews",
    ),
    "qnli_train": ("QNLI (GLUE, from SQuAD)", "CC BY-SA 4.0"),
    "qqp_train": ("QQP (Quora)", "Quora's terms; non-commercial"),
    "snli_train": ("SNLI (Bowman et al., 2015)", "CC BY-SA 4.0"),
    "mnli_train": ("MNLI (Williams et al., 2018)", "OANC, CC BY 3.0 and CC BY-SA 3.0 by genre"),
}
_AMAZON = ("Amazon reviews, FDU-MTL (Liu et al., 2017)", "no licence stated; research use")
REVIEWS = frozenset(f"validation_amazon_{domain}" for domain in ("music", "toys", "video"))
SOURCES |= dict.fromkeys(REVIEWS, _AMAZON)
UNKNOWN = ("", "not known")
