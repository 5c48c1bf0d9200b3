"""`python -m salient.cli`: the same as `salient`."""

from salient.cli import app

if __name__ == "__main__":
    app()
