"""Chooses the embedder from one setting."""

from __future__ import annotations

from pathlib import Path

from ..core.errors import UsageError
from .embedder import Embedder, Multilingual
from .folder import find_folder
from .limits import Limits


def load_embedder(setting: str = "auto", limits: Limits | None = None) -> Embedder | None:
    """The embedder that ``setting`` names. Cheap: weights load on the first ``embed``.

    - ``auto``: the default model where it is installed, else None
    - ``none``: None; retrieval is by words and graph alone
    - a folder with ``model.safetensors``, ``tokenizer.json`` and ``config.json``
    - ``int8``, ``int8:FOLDER``: the default model, or that of a folder, in whole numbers: twice as fast, a little worse
    - ``multilingual``: the encoder of 16 languages of the extra of that name, for every text
    - ``local:NAME``: sentence-transformers, with the extra ``local``
    - ``endpoint:MODEL@URL``: an OpenAI-compatible endpoint, within ``limits``

    Raises:
        UsageError: the setting names nothing that exists.
        ModelError: the folder's model cannot be used.

    >>> load_embedder("none")
    """
    if setting == "none":
        return None
    if setting == "multilingual":
        from .multilingual_embedder import MultilingualEmbedder

        return MultilingualEmbedder()
    kind, _, rest = setting.partition(":")
    if kind == "local" and rest:
        from .local_embedder import LocalEmbedder

        return LocalEmbedder(rest)
    if kind == "endpoint":
        from .endpoint_embedder import EndpointEmbedder

        return EndpointEmbedder(rest, limits)
    int8 = kind == "int8"
    named = rest if int8 else setting
    folder = find_folder() if named in ("auto", "") else Path(named).expanduser()
    if folder is None:
        return None
    if not folder.is_dir():
        hint = "Say auto, none, int8, multilingual, a folder, local:NAME or endpoint:MODEL@URL"
        raise UsageError("no such embedding model", where=setting, hint=hint)
    from .folder_embedder import FolderEmbedder

    return FolderEmbedder(folder, int8=int8)


def load_multilingual(setting: str, embedder: str) -> Multilingual | None:
    """The encoder for texts that are not English beside the one that the setting ``embedder`` names.

    - ``auto``: where it is installed and the embedder is the default one, which reads English alone
    - ``all``: English texts too, with both, so that questions in other languages find them
    - ``none``: none

    Raises:
        UsageError: the setting is none of these, or ``all`` and the extra is not installed.
    """
    from .multilingual_embedder import MultilingualEmbedder, is_installed

    if setting not in ("auto", "all", "none"):
        raise UsageError("no such setting of the multilingual encoder", where=setting, hint="Say auto, all or none")
    is_wanted = setting == "all" or (setting == "auto" and is_installed())
    is_beside_english = embedder in ("auto", "int8")
    if not is_wanted or not is_beside_english:
        return None
    return Multilingual(MultilingualEmbedder(), english_too=setting == "all")
