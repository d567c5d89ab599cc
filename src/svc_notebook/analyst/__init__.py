"""Who produces an answer: the toolbox, the charts, the offline and the language-model analyst."""
