// defines:
