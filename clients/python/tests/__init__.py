"""Tests of the Python client: `python3 -m unittest discover -s tests -t .` in clients/python."""
