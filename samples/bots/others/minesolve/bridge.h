#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#include "minesolve.h"
void bridge_remove(MsBoard *board, int32_t cell);
int32_t bridge_frontier(MsBoard *board);
void bridge_basic(MsBoard *board, MsResult *result, double *odds);
#ifdef __cplusplus
}
#endif
