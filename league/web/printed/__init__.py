"""What is printed: pages for A4, by the browser or as PDF, and the projector."""
