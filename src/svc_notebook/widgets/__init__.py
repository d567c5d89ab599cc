"""Widgets for JupyterLab and its relatives."""
