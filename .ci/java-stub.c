/*
 * The programs that offhook.cmd starts, as far as its check needs them (.ci/check-windows-launcher). Named java.exe, it prints
 * its arguments, a line each, and ends with the code after a last argument "exit"; named fc.exe, it compares two files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const char *left, const char *right) {
    FILE *a = fopen(left, "rb");
    FILE *b = fopen(right, "rb");
    if (a == NULL || b == NULL) {
        return 2;
    }
    int c;
    do {
        c = fgetc(a);
        if (c != fgetc(b)) {
            return 1;
        }
    } while (c != EOF);
    return 0;
}

int main(int count, char **words) {
    if (strstr(words[0], "fc") != NULL && strstr(words[0], "java") == NULL) {
        return compare(words[count - 2], words[count - 1]);
    }
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "-XX:Nonsense") == 0) {
            puts("Unrecognized VM option 'Nonsense'");
            return 1;
        }
    }
    for (int i = 1; i < count; i++) {
        if (strncmp(words[i], "-XX:AOTCacheOutput=", 19) == 0) {
            return fclose(fopen(words[i] + 19, "wb"));
        }
    }
    for (int i = 1; i < count; i++) {
        printf("<%s>\n", words[i]);
    }
    return count > 2 && strcmp(words[count - 2], "exit") == 0 ? atoi(words[count - 1]) : 0;
}
