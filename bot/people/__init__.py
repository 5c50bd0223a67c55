"""What people and servers decide about themselves: who the bot is, data, servers, absences."""
