"""Which library reads PDFs: a line for each."""

from __future__ import annotations

from importlib.util import find_spec

from ...core.errors import DocumentError
from .backend import PdfBackend


def default_backend() -> PdfBackend:
    """PyMuPDF (AGPL or commercial licence) where it is installed, else PDFium, which nobody has to pay for or follow.

    Raises DocumentError where neither is.
    """
    if find_spec("pymupdf") is not None:
        from .pymupdf_backend import PyMuPdfBackend

        return PyMuPdfBackend()
    if find_spec("pypdfium2") is not None:
        from .pdfium_backend import PdfiumBackend

        return PdfiumBackend()
    hint = "Install pymupdf, or: pip install 'cliquerag[pdfium]'"
    raise DocumentError("PDFs take a library that reads them", where="PDF", hint=hint)
