"""Records the vectors that ``tests/models/test_folder_embedder.py`` compares with; needs the extra ``local``.

python tests/support/record_vectors.py MODEL_FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "models"


def main(model_folder: str) -> None:
    import numpy as np
    from sentence_transformers import SentenceTransformer

    texts = json.loads((FOLDER / "recorded_texts.json").read_text(encoding="utf-8"))
    model = SentenceTransformer(model_folder, device="cpu")
    np.save(FOLDER / "recorded_vectors.npy", model.encode(texts, normalize_embeddings=True))


if __name__ == "__main__":
    main(sys.argv[1])
