"""Tests of the Python clients: `python3 -m unittest discover -s tests -t .` in clients/python. They need httpx."""
