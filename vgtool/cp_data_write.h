/*
 * cp_data_write.h - the lines of the raw profile that say which data misses, and those that have
 * miss curves. Without --data=yes there are none of data.
 */
#ifndef CP_DATA_WRITE_H
#define CP_DATA_WRITE_H

/* Writes the line of the header. */
void cp_data_write_key(void);

/* Writes the records, behind those of contexts. */
void cp_data_write(void);

/*--- Miss curves: without --miss-curves=yes there are no lines ---*/

/* Writes the line of the header. */
void cp_curve_write_key(void);

/* Writes the records, behind those of data, which gave data their numbers. */
void cp_curve_write(void);

#endif
