"""The friction exam: questions with known answers, asked of any engine."""
