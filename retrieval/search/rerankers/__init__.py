"""What puts candidates in another order."""
