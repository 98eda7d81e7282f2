"""``python -m slp_core``: see :mod:`slp_core.cli`."""

import sys

from slp_core.cli import main

sys.exit(main())
