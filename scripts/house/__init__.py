"""The house as it is: its rooms, the way of one question, and the figures that tell whether it is lived in well.

python -m scripts.house                          write docs/architecture.md and its drawing anew
python -m scripts.house --check                  only say whether they are current
python -m scripts.house --beside DIR             count the models as well, which are installed in DIR
"""
