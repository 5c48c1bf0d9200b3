"""People: accounts, signing in, keys for programs, profiles, ratings, blocks and reports."""
