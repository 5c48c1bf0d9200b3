"""The laboratory: random play, fuzzing, counting, and matches of computer players."""
