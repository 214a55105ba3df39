"""Reports: ready ones from sections with questions and tables, and research by a menu of what there is."""
