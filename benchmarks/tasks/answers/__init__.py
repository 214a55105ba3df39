"""What is answered without a model: texts, figures, relations."""
