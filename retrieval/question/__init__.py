"""What was asked, understood once: scope, entities, figures, expected answer."""
