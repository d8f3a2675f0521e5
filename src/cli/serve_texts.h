// What a server shows of the program: its keys, its presets, its pages.
#pragma once

#include "serve/service.h"

namespace railyard {

ServedTexts served_texts();

}  // namespace railyard
