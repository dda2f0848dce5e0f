"""A number down to its runs, and the choices that give a printed one."""
