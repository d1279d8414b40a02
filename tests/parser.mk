# Tests of parser.
check_PROGRAMS += %D%/unit/parser-dump
%C%_unit_parser_dump_SOURCES = %D%/unit/parser-dump.c
%C%_unit_parser_dump_LDADD = parser/libparser.la
