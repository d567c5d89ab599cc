"""What those who run the service see: figures, slow queries, the audit log; and several processes as one."""
