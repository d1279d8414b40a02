/*
 * cp_data_write.h - the lines of the raw profile that say which data misses. Without --data=yes
 * there are none.
 */
#ifndef CP_DATA_WRITE_H
#define CP_DATA_WRITE_H

/* Writes the line of the header. */
void cp_data_write_key(void);

/* Writes the records, behind those of contexts. */
void cp_data_write(void);

#endif
