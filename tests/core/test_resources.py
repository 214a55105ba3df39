import pytest
from cliquerag.core.resources import load_toml, parse_toml


def test_reads_once():
    assert load_toml("cliquerag.core", "names.toml") is load_toml("cliquerag.core", "names.toml")


def test_malformed_data_is_named():
    with pytest.raises(ValueError, match="line 2"):
        parse_toml("a = 1\nb = = 2")
