"""What is sent out: e-mails to researchers, webhooks."""
