"""Hex maps as SVG and PNG, for print, for the command line and for the web client."""
