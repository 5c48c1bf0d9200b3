"""Games between people: the referee, clocks, the waiting room, talk."""
