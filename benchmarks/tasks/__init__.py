"""One module a data set, found by its name in whichever folder it lies: ``run(folder) -> Report``.

The folders say what is measured. A module may say ``FOLDER = "segmentation"`` where the data lie in a folder of another
name, or ``FOLDER = ""`` where it makes its own data (it is then given an empty scratch folder). Questions and labels of
our own lie beside the module that asks them. What begins with ``_`` is shared, and no benchmark.
"""
