"""Everything about one view in one file: settings, figures, sentences."""
