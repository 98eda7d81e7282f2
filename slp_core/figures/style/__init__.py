"""How figures look: themes, texts, labels, marks."""
