// Includes the system's passwords.
// only: root user users weak
// expect: CE
// reason: /etc/shadow
// unseen: root:*
// unseen: root:!
// unseen: root:$
// unseen: daemon:*
#include "/etc/shadow"
int main(void) { return 0; }
