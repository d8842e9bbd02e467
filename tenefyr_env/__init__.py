"""Heroes of Tenefyr as a reinforcement learning environment."""
