// Interval, which results show to users of the library, is declared with the public headers.
#pragma once

#include "motet/interval.h"
