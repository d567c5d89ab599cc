"""Moments, periods, grains and fiscal years in words."""
