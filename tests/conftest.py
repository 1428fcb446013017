"""What every test may ask for. Tests of one room keep their own in that room's conftest.py."""
