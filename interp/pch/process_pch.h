// Precompiled for the parts that work on processes: it only saves build time,
// and no source relies on it.
#pragma once

#include "interp/assign.h"
#include "interp/evaluate.h"
#include "interp/expand.h"
#include "interp/invoke.h"
#include "interp/jobs.h"
#include "interp/process.h"
#include "interp/variables.h"
