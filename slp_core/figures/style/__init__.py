"""The look of figures: themes, texts, labels, marks."""
