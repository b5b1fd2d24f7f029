// Precompiled for all commands: it only saves build time, and no source relies
// on it.
#pragma once

#include "interp/assign.h"
#include "interp/command.h"
#include "interp/expand.h"
#include "interp/invoke.h"
#include "interp/jobs.h"
#include "interp/process.h"
#include "interp/variables.h"
