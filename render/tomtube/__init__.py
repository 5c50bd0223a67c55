"""Tom Tube in words; the picture is still to come."""
