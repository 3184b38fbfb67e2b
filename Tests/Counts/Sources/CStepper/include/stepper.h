#ifndef COUNTERSIGN_STEPPER_H
#define COUNTERSIGN_STEPPER_H

/* Counts the instructions that `work` takes in user space: it runs in a child, one instruction at a time. That is slow (some
   microseconds each), but it needs no counter of the processor's, which a virtual machine often has not, and two runs
   differ by next to nothing.

   Returns -1 where the system does not allow it, -2 where `work` returned something else than 0 or did not end. */
long long stepper_count(int (*work)(void *context), void *context);

#endif
