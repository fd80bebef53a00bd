//@ truth: holds
//@ now: holds
//@ options: --external arbitrary
//@ run: exit 102
// A device whose driver is not here: it may answer anything and write any bytes into the buffer.
#include <assert.h>
#include <stdlib.h>

struct device;
struct device *device_open(const char *name);
int device_read(struct device *device, unsigned char *buffer, size_t size);
int device_level(struct device *device, int *level);

int main(void) {
    struct device *device = device_open("thermometer");
    if (!device)
        return 1;
    unsigned char buffer[4];
    int level = 0;
    device_read(device, buffer, sizeof buffer);
    if (device_level(device, &level) != 0 || level < 0 || level > 3)
        return 1;
    int *samples = calloc(4, sizeof *samples);
    samples[level] = buffer[level];
    assert(samples[level] <= 255);
    free(samples);
    return 0;
}
