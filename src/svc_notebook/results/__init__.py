"""What is done with an answer: typed frames, charts, tables, rich output."""
