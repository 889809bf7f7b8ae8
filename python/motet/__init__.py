"""Motet: data whose labels are not one certain label per item.

What the command line can do, from memory, on arrays and data frames, with the same bytes in the result. Only NumPy is
needed; pandas, scipy and scikit-learn are used where what is passed in comes from there.
"""
from __future__ import annotations

from . import _core, audio, datasets, measure
from ._errors import Error, InputError, ModelFileError
from .discover import Discovery
from .judges import Judges, NumericJudges, two_populations
from .multilabel import MultiLabelClassifier
from .roles import RoleMiner
from .superset import SupersetClassifier
from .temporal import TemporalMixture

__version__: str = _core.version

__all__ = ["Discovery", "Error", "InputError", "Judges", "ModelFileError", "MultiLabelClassifier", "NumericJudges", "RoleMiner",
           "SupersetClassifier", "TemporalMixture", "audio", "datasets", "measure", "two_populations"]
