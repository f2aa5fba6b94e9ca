"""Files in and out without Django: tables read strictly, every bad row named, formulas escaped."""
