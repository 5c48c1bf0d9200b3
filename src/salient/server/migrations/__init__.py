"""The database's schema through the versions of the program."""
