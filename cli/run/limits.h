/*
 * limits.h - limits of resources (ulimit) that leave a run of the tool too little, when it has
 * failed. Not asked for before: what a run takes depends on the program and on the machine.
 */
#ifndef RUN_LIMITS_H
#define RUN_LIMITS_H

/* Which limit to raise; `otherwise`: none is low. */
const char *limits_advice(const char *otherwise);

#endif
