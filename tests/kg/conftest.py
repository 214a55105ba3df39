"""Assertions in the shared suite of the stores explain themselves as those in test modules do."""

import pytest

pytest.register_assert_rewrite("support.store_conformance", "support.store_safety")
