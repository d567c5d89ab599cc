"""``python -m svc_notebook.cli``."""

import sys

from . import main

sys.exit(main())
