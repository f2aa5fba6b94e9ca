"""What an item shows, apart from what is asked of it: blocks of text, tables, chats, pictures, sound and video."""
