"""What people look at, for every host: what a browser is told of a turn, and the modules that draw it.

A notebook's widget and the page behind an embed URL show the same view: the same Python code makes of an answer what
the browser is told (sanitised HTML, plain data), and the same ES modules draw it. Only the road differs: comm messages
there, lines of JSON here.
"""
