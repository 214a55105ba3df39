"""One module a data set, found by its name: ``run(folder) -> Report``.

A module may say ``FOLDER = "segmentation"`` where the data lie in a folder of another name, or ``FOLDER = ""`` where it
makes its own data (it is then given an empty scratch folder).
"""
